'use strict';
for (;;);
