'use strict';
require('./tries.cjs')(() => {
  const pids = require('node:fs')
    .readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name));
  return pids.length > 4 ? 'done' : 'its own alone';
});
