// The import law for the whole repository: prints breaches, and fails if there are any. Given a path
// ("services/groups"), prints only breaches below it. With --rooms, prints how the services are laid out.
import { join } from 'node:path';
import { lateralBreaches } from './lateral.ts';
import { breachesOf } from './law.ts';
import { printRooms, roomsOf } from './rooms.ts';
import { readTree } from './tree.ts';

const [below = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const tree = readTree(join(import.meta.dirname, '..', '..'));
if (process.argv.includes('--rooms')) console.log(printRooms(roomsOf(tree)));
else {
  const breaches = [...breachesOf(tree), ...lateralBreaches(tree)].filter(({ path }) =>
    path.startsWith(below),
  );
  for (const { path, line, message } of breaches) console.log(`${path}:${line} ${message}`);
  const count = breaches.length;
  console.log(count === 0 ? 'The import law holds.' : `The import law is broken in ${count} places.`);
  if (count > 0) process.exitCode = 1;
}
