// Starts a child, names it on stderr, and dies.
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
console.error(`child ${child.pid}`);
process.exit(3);
