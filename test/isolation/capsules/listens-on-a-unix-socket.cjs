'use strict';
require('./tries.cjs')(
  () =>
    new Promise((resolve, reject) => {
      require('node:net').createServer().listen('/tmp/door', resolve).once('error', reject);
    }),
);
