'use strict';
const { closeSync } = require('node:fs');
for (const fd of [0, 1, 2]) closeSync(fd);
setInterval(() => {}, 1_000);
