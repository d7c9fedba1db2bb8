import { run } from '@hearth/runtime';
import { decisions } from './service.ts';

await run([decisions]);
