import { run } from '@hearth/runtime';
import { delivery } from './service.ts';

await run([delivery]);
