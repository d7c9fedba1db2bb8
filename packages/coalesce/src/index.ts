export { createCoalescer, type Coalescer, type CoalescerOptions } from './coalescer.ts';
