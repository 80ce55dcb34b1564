'use strict';
require('node:fs').writeSync(1, '{"type":"agent_response","status":"ok","result":"kept"}\n');
process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);
