import { actCommand } from '../act-command.ts';
import { homeArgument, tellHome } from './home.ts';

export const homeShow = actCommand({
  ...homeArgument,
  name: 'home show',
  summary: "Show another home's document, keys and pending items",
  operation: 'show_home',
  tell: tellHome,
});

export const homeRefetch = actCommand({
  ...homeArgument,
  name: 'home refetch',
  summary: 'Fetch the document of a home now',
  operation: 'refetch_home',
  tell: tellHome,
});
