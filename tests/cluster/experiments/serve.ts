import { homes } from '../../../scripts/cluster/homes.ts';
import { run } from '../../../scripts/tools/run.mjs';
import { settled, talkInside } from '../support.ts';

/** Checks that both homes serve: every pod is ready, helm test passes, a message answers a held poll. */
export async function serve(): Promise<void> {
  for (const home of homes) {
    settled(home);
    run('helm', ['test', home.release, '--namespace', home.release, '--timeout', '3m']);
    await talkInside(home);
  }
}
