// Starts a child in a session of its own, without the environment that it would be found by, then answers.
const { spawn } = require('node:child_process');
const away = { stdio: 'ignore', detached: true, env: {} };
const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], away);
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: child.pid }));
process.stdin.on('end', () => process.exit(0)).resume();
