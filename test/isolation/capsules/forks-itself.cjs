'use strict';
require('./tries.cjs')(
  () =>
    new Promise((resolve, reject) => {
      require('node:child_process').fork(__filename).once('spawn', resolve).once('error', reject);
    }),
);
