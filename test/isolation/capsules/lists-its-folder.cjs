'use strict';
const fs = require('node:fs');
const path = require('node:path');
// Only files that can be opened count, not their names.
const opens = (name) => {
  try {
    const whole = path.join(__dirname, name);
    if (fs.statSync(whole).isDirectory()) fs.readFileSync(path.join(whole, 'a.log'));
    else fs.readFileSync(whole);
    return true;
  } catch {
    return false;
  }
};
require('./tries.cjs')(() => fs.readdirSync(__dirname).filter(opens).sort().join(' '));
