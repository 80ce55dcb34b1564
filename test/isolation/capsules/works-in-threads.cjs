'use strict';
const { Worker } = require('node:worker_threads');
require('./tries.cjs')(
  () =>
    new Promise((resolve, reject) => {
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage(1)', {
        eval: true,
      });
      worker.once('message', () => resolve()).once('error', reject);
    }),
);
