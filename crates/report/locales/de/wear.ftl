# Verschleiß von Flash-Laufwerken, vor einem Test genannt, der schreibt.
wear-writes = { $name }: schreibt { $bytes }{ $share }
wear-writes-at-most = { $name }: schreibt höchstens { $bytes }{ $share }
wear-writes-for = { $name }: schreibt { $seconds } s lang, so schnell das Laufwerk kann{ $share }
wear-writes-on = { $name }: schreibt bis zum Ende der Jobs, so schnell das Laufwerk kann{ $share }
wear-no-flash = { "" } (kein Flash bekannt, kein Verschleiß)
wear-share = , { $percent } % seiner Lebensdauer ({ $basis })
wear-share-of-unit = ; 100 GB sind { $percent } % seiner Lebensdauer ({ $basis })
wear-used = { $used } % verbraucht
wear-basis-health = Zustandsprotokoll
wear-basis-assumed = angenommen: Kapazität x { $writes }
