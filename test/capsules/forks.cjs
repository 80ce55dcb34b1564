// Starts a child that outlives it and holds its pipes, names it, and answers.
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: child.pid }));
process.stdin.on('end', () => process.exit(0)).resume();
