import { runMigrations } from '@hearth/runtime';
import { services } from './services.ts';

await runMigrations(services);
