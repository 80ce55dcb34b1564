'use strict';
require('./tries.cjs')(({ pid }) => void process.kill(pid, 0));
