dd-input-zero = 输入：/dev/zero 不是存储设备；没有读取任何设备
dd-input-no-storage = 输入：不存储数据的设备；没有读取磁盘
dd-input-unknown = 输入：不知道有多少来自页缓存
dd-input = 输入：{ $total } 中有 { $share } 无需读取设备（复制前 { $cached } 在页缓存中，{ $gaps } 在空洞或未写入的区段中）
dd-input-at-least = 输入：{ $total } 中至少有 { $share } 无需读取设备（复制前 { $cached } 在页缓存中，{ $gaps } 在空洞或未写入的区段中）
dd-input-nothing = 输入：复制前 { $total } 中没有任何部分在页缓存、空洞或未写入的区段中
dd-input-direct = 输入：{ $total } 全部绕过页缓存读取（iflag=direct），其中 { $cached } 当时在页缓存中
dd-below-loop = { $device } 是回环设备：其文件有 { $cached } 在下一层的页缓存中
dd-below-loop-unknown = { $device } 是回环设备：其文件可能在下一层的页缓存中
dd-below-memory = { $device } 把数据保存在内存中
dd-below-no-device = { $name } 没有自己的块设备
dd-output = 输出：文件
dd-output-durable = 输出：已在上述时间内刷写到设备
dd-output-lost = 输出：刷写失败；部分数据可能不在设备上
dd-output-direct = 输出：写入绕过了页缓存；设备缓存未刷写（conv=fdatasync 会在计时内刷写）
dd-output-none-pending = 输出：所有数据已离开页缓存；未检查设备是否接收（--sync-after 会检查），且设备缓存未刷写
dd-output-pending = 输出：复制结束时 { $pending }（{ $share }）仍在页缓存中，尚未写到设备（conv=fdatasync 会在计时内刷写，--sync-after 测量刷写）
dd-output-unknown = 输出：不知道还有多少在页缓存中（conv=fdatasync 会在计时内刷写，--sync-after 测量刷写）
dd-output-loop = { $device } 是回环设备：其文件可能在下一层的页缓存中
dd-flushed = 计入复制后 { $flush } 的刷写：{ $rate }/s
dd-zeros = 复制的字节全为零：会压缩或去重的存储处理零比处理其他数据更快
dd-zeros-compressed = 复制的字节全为零，{ $layer } 会压缩它们：处理零比处理其他数据更快
