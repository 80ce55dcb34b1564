'use strict';
const { writeSync } = require('node:fs');
const part = Buffer.alloc(1_048_576, 'x');
for (let at = 0; at < 100; at += 1)
  for (let sent = 0; sent < part.length; ) sent += writeSync(1, part, sent);
