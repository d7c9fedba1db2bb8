import { run } from '@hearth/runtime';
import { identity } from './service.ts';

await run([identity]);
