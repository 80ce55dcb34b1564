'use strict';
for (const name of Object.keys(require('node:os').constants.signals))
  try {
    process.on(name, () => {});
  } catch {}
process.stdin.on('end', () => {});
setInterval(() => {}, 1_000);
