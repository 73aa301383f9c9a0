#!/bin/sh
# Makes ../src/page/echarts.js.gz: the parts of Apache ECharts that the page draws with, in one file. Needs npm; only for
# whoever changes entry.js or the version.
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp entry.js "$build"
(cd "$build" && npm install --silent echarts@6.1.0 esbuild@0.28.2 && node node_modules/esbuild/install.js &&
  npx esbuild entry.js --bundle --minify --format=iife --global-name=echarts --outfile=out.js --target=es2020 \
    --legal-comments=none)
{
  printf '/*! Apache ECharts 6.1.0, Copyright 2017-2026 The Apache Software Foundation, Apache License 2.0; zrender, BSD-3-Clause; tslib, 0BSD. Made by crates/report/echarts/build.sh. */\n'
  cat "$build/out.js"
} | gzip -9n >../src/page/echarts.js.gz
