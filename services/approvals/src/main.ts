import { run } from '@hearth/runtime';
import { approvals } from './service.ts';

await run([approvals]);
