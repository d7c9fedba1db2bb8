// Loaded into a process of a home by `--import`: its clock is off by as many milliseconds as that file says.
import { readFileSync } from 'node:fs';

const trueNow = Date.now;
let offMs = 0;
setInterval(() => {
  try {
    offMs = Number(readFileSync(process.env.SHIFTED_CLOCK, 'utf8'));
  } catch {
    offMs = 0;
  }
}, 50).unref();
Date.now = () => trueNow() + offMs;
