import { run } from '@hearth/runtime';
import { gateway } from './service.ts';

await run([gateway]);
