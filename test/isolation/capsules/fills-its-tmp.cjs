'use strict';
const fs = require('node:fs');
require('./tries.cjs')(() => {
  const fd = fs.openSync('/tmp/fill', 'w');
  const part = Buffer.alloc(1_048_576);
  for (let written = 0; written < 64; written += 1)
    if (fs.writeSync(fd, part) < part.length) return 'ENOSPC';
});
