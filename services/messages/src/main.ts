import { run } from '@hearth/runtime';
import { messages } from './service.ts';

await run([messages]);
