import { run } from '@hearth/runtime';
import { federation } from './service.ts';

await run([federation]);
