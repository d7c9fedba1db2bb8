import { spawnSync } from 'node:child_process';
import type { ClusterHome } from '../../../scripts/cluster/homes.ts';
import { addressOf, host } from '../../../scripts/cluster/settings.ts';
import { worldAddress } from '../../../scripts/cluster/system.ts';
import { homeA, homeB, kept, must, podsOf } from '../support.ts';

/** Connections between pods, each as the policies define it; `reached` is allowed, but nothing listens there. */
export async function policies(): Promise<void> {
  const addressOfPod = (home: ClusterHome, part: string) => podsOf(home, part)[0].status.podIP;
  const service = (home: ClusterHome, part: string) => `${home.release}-hearth-${part}`;
  const tries: [home: ClusterHome, part: string, host: string, port: number, want: 'open' | 'closed'][] = [
    [homeA, 'gateway', service(homeA, 'identity'), 9090, 'open'],
    [homeA, 'messages', service(homeA, 'postgres'), 5432, 'open'],
    [homeA, 'federation', worldAddress, 443, 'open'],
    [homeA, 'messages', worldAddress, 443, 'closed'],
    [homeA, 'messages', addressOfPod(homeA, 'gateway'), 8080, 'closed'],
    [homeA, 'gateway', addressOfPod(homeB, 'identity'), 9090, 'closed'],
    [homeA, 'messages', addressOfPod(homeB, 'postgres'), 5432, 'closed'],
    [homeB, 'delivery', addressOfPod(homeA, 'nats'), 4222, 'closed'],
    [homeA, 'federation', '169.254.169.254', 80, 'closed'],
    [homeA, 'federation', host, 6443, 'closed'],
    [homeA, 'federation', addressOf(1), 10250, 'closed'],
    [homeA, 'federation', addressOfPod(homeB, 'gateway'), 8080, 'closed'],
  ];
  const found = tries.map(([home, part, to, port, want]) => {
    const pod = podsOf(home, part)[0].metadata.name;
    const look = `const s=require('net').connect({host:'${to}',port:${port},timeout:3000},()=>{console.log('open');s.destroy()});
      s.on('error',()=>console.log('closed'));s.on('timeout',()=>{console.log('closed');s.destroy()})`;
    const { stdout } = spawnSync(
      'kubectl',
      ['-n', home.release, 'exec', pod, '--', '/usr/bin/node', '-e', look],
      {
        encoding: 'utf8',
      },
    );
    return {
      from: `${home.release}/${part}`,
      to: `${to}:${port}`,
      want,
      is: stdout.trim().split('\n').at(-1),
    };
  });
  kept('policies', { found });
  const wrong = found.filter(({ want, is }) => want !== is);
  must('policies hold', wrong.length === 0, wrong);
}
