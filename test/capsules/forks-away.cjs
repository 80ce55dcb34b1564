// Starts a child in a session of its own, which no group reaches and which holds its pipes, then answers.
const { spawn } = require('node:child_process');
const away = { stdio: 'inherit', detached: true };
const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], away);
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: child.pid }));
process.stdin.on('end', () => process.exit(0)).resume();
