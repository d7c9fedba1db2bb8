export { type Coalescer, type CoalescerOptions, createCoalescer } from './coalescer.ts';
