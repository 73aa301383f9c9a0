# Why something is not stored or cannot be read.

store-no-place = 没有存放结果库的位置：XDG_DATA_HOME 和 HOME 均未设置；请用 --store FILE 指定
store-absent = { $path }：没有结果库
store-foreign = { $path }：不是 fathom 的结果库：{ $why }；文件保持原样
store-not-sqlite = 不是 SQLite 数据库
store-other-program = 其他程序的数据库
store-newer = { $path }：由更新版本的 fathom 写入（其表为版本 { $found }，本程序只认识版本 { $known }）；文件保持原样
store-full = { $path }：没有剩余空间；先前存储的内容仍在
store-not-writable = { $path }：无法写入：{ $why }
store-directory = 它是一个目录
store-journal-directory = 它所在的目录（SQLite 在其中存放日志）：{ $why }
store-older-tables = 其表为版本 { $found }，需要转换为版本 { $known }
store-busy = { $path }：另一个进程一直锁定着它
store-damaged = { $path }：已损坏：{ $why }
store-unknown = { $path }：没有 { $id }；`fathom list` 会列出已存储的内容
store-exists = 研究 S{ $study } 已有测点 { $ordinal }
store-not-finite = { $what }未存储：其中有数值为无穷大或不是数
store-unreadable = { $what }的存储格式是本版本无法读取的：{ $why }
store-unknown-kind = 其类型为“{ $kind }”
store-document-run = 该次运行
store-document-answer = 答案
store-document-check = 该次检查
store-document-study = 该项研究
store-document-point = 测点 { $ordinal }
store-document-point-of = S{ $study } 的测点 { $ordinal }
store-document-exported = 导出的结果
