import { run } from '@hearth/runtime';
import { services } from './services.ts';
import { welcome } from './welcome.ts';

await run(services, (home) => process.stdout.write(`${welcome(home.config.siteUrl)}\n`));
