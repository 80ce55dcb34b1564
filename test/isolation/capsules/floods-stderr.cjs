'use strict';
const { writeSync } = require('node:fs');
const part = Buffer.alloc(1_048_576, 'e');
for (;;) writeSync(2, part);
