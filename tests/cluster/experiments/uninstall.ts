import { run } from '../../../scripts/tools/run.mjs';
import { homeB, kept, kubectl, must } from '../support.ts';

/** Uninstalls; volumes and the generated Secret stay, as documented. */
export async function uninstall(): Promise<void> {
  const { release } = homeB;
  run('helm', ['uninstall', release, '--namespace', release, '--wait', '--timeout', '5m']);
  kubectl(homeB, 'wait', '--for=delete', 'pod', '--all', '--timeout=120s');
  const kinds = run('kubectl', ['api-resources', '--namespaced', '--verbs=list', '-o', 'name'])
    .trim()
    .split('\n');
  const listed = kubectl(
    homeB,
    'get',
    kinds.filter((kind) => !/event|endpoint/.test(kind)).join(','),
    '-o',
    'name',
  );
  const left = listed
    .trim()
    .split('\n')
    .filter((name) => name.includes('hearth') && !name.endsWith('-tls'));
  kept('uninstall', { left });
  must(
    'volumes and the Secret stay, and nothing else',
    left.every((name) => /^(persistentvolumeclaim|secret)\//.test(name)) && left.length === 3,
    left,
  );
}
