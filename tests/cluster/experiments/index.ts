import { autoscaling } from './autoscaling.ts';
import { data } from './data.ts';
import { drain } from './drain.ts';
import { federation } from './federation.ts';
import { holders } from './holders.ts';
import { keys } from './keys.ts';
import { kills } from './kills.ts';
import { link } from './link.ts';
import { loss } from './loss.ts';
import { name } from './name.ts';
import { paths } from './paths.ts';
import { policies } from './policies.ts';
import { rolls } from './rolls.ts';
import { scale } from './scale.ts';
import { secret } from './secret.ts';
import { serve } from './serve.ts';
import { sharing } from './sharing.ts';
import { tls } from './tls.ts';
import { together } from './together.ts';
import { uninstall } from './uninstall.ts';
import { upgrades } from './upgrades.ts';

/** In execution order. */
export const experiments = {
  serve,
  policies,
  federation,
  together,
  rolls,
  kills,
  data,
  upgrades,
  paths,
  name,
  drain,
  loss,
  link,
  holders,
  scale,
  autoscaling,
  keys,
  secret,
  sharing,
  tls,
  uninstall,
};
