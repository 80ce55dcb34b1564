'use strict';
require('./tries.cjs')(() => {
  const held = [];
  for (let at = 0; at < 4_096; at += 1) held.push(Buffer.alloc(1_048_576, at));
});
