export { createRates, type Rates } from './rates.ts';
export { limitsHandler } from './rpc/limits.ts';
