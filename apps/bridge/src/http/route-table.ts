/** What kind of call a route is, read from the router: a new route is in here the moment it exists. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';

export type RouteType = 'query' | 'mutation' | 'subscription';

export const routeTypes = (router: AnyTRPCRouter): ReadonlyMap<string, RouteType> => {
  // The declared type is nested, the record itself is flat: `strands.list` is one key.
  const procedures: Readonly<Record<string, AnyTRPCProcedure>> = router._def.procedures;
  return new Map(Object.entries(procedures).map(([path, procedure]) => [path, procedure._def.type]));
};
