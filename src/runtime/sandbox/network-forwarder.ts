/** Where programs inside find their proxy: nothing else is in their network. */
export const FORWARDER_PORT = 3128;

/**
 * Listens on a port of the sandbox's own loopback, leads every connection to a Unix socket, and runs a program until that
 * ends: most programs speak to a proxy over TCP only. For `node -e`, with the socket, the program and its arguments.
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
  process.stderr.write('bwrap: its way to the network can not be made: ' + error.message + '\\n');
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
