'use strict';
const fs = require('node:fs');
require('./tries.cjs')(({ mark }) => {
  const pids = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  const read = (pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
    } catch {
      return '';
    }
  };
  if (!pids.some((pid) => read(pid).includes(mark))) return 'not found';
});
