objects-title = { $target }: { $concurrency } requests in flight, { $prefixes } prefixes, { $took } s
objects-column-operation = operation
objects-column-rate = requests/s
objects-column-first-median = first byte p50
objects-column-first-p99 = first byte p99
objects-column-last-median = last byte p50
objects-column-last-p99 = last byte p99
objects-column-errors = errors
objects-end-signal = a signal ended the load early
objects-end-failures = the load ended early: no request succeeded any more ({ $error })
objects-errors = { $operation }: { $count ->
    [one] { $count } request
   *[other] { $count } requests
} failed: { $code }
objects-server-time = { $operation }: the server reports a processing time of { $median } (median)
objects-reconnects = { $count ->
    [one] the server had closed { $count } kept connection; its request was sent again
   *[other] the server had closed { $count } kept connections; their requests were sent again
}
objects-prepared = prepared: { $count ->
    [one] { $count } object
   *[other] { $count } objects
} of { $size } in all, written in { $took } s
objects-leftovers = { $count ->
    [one] { $count } object of a killed run was removed first
   *[other] { $count } objects of killed runs were removed first
}
objects-not-removed = objects below fathom-run-{ $run }/ were not removed: { $why }. The next run on this machine removes them
objects-mismatch = { $key }: the contents differ from what was written, from byte { $offset } on
objects-part = objects larger than { $size } were written in parts of this size
objects-scratch = objects of this run: { $scratch } ({ $count } removed)
objects-preparing = writing objects: { $count }
objects-measuring = { $count } requests, { $rate }/s
objects-plan = would write { $count } objects of at most { $most } and then run the load below { $target } on { $servers }; all objects would be removed at the end
objects-no-bucket = bucket { $bucket } does not exist: create it first
objects-foreign = object { $first } was not written by this load: name an empty prefix, or allow the load beside it with --allow-destroy=TARGET
objects-mix = the load needs an operation with a weight, objects to read, at least one request in flight and one prefix
objects-sizes = object sizes need a valid distribution with at most 5 GiB per object
objects-too-many-parts = an object would have more than 10 000 parts: choose larger parts (--part)
objects-no-credentials = no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write ~/.aws/credentials
objects-no-profile = profile { $profile } has no key in { $file }
objects-endpoint = { $url } is not an endpoint: give http://HOST:PORT or https://HOST
objects-target = { $target } is neither a bucket nor a pool: give s3://BUCKET, s3://BUCKET/PREFIX or rados:POOL
objects-other-consent = --allow-destroy names { $consent }, but the target is { $target }
objects-no-list = a pool of Ceph cannot list objects by prefix: leave list out of --mix
objects-scratch-named = scratch objects: { $scratch }, removed at the end
