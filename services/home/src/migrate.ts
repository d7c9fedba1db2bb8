import { migrateHome } from '@hearth/runtime';
import { services } from './services.ts';

await migrateHome(services);
