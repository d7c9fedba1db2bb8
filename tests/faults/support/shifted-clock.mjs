// Loaded into a home's process by `--import`: shifts its clock by the milliseconds in that file.
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
