/** The port of the proxy inside the sandbox, the only server in its network. */
export const FORWARDER_PORT = 3128;

/**
 * Listens on a port of the sandbox's own loopback, forwards every connection to a Unix socket, and runs a program until it
 * exits: most programs connect to a proxy over TCP only. For `node -e`, with the socket, the program and its arguments.
 */
export const NETWORK_FORWARDER = `
'use strict';
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const [socket, program, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});
server.on('error', (error) => {
  process.stderr.write('bwrap: its network connection can not be set up: ' + error.message + '\\n');
  process.exit(1);
});
server.listen(${FORWARDER_PORT}, '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.once('error', (error) => {
    process.stderr.write('bwrap: execvp ' + program + ': ' + error.message + '\\n');
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
});
`;
