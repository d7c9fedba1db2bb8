import { run } from '@hearth/runtime';
import { groups } from './service.ts';

await run([groups]);
