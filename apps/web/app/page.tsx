import { App } from '../src/screens/app.tsx';

/** The one route: which session or view is shown is in the query, read by `state/route.ts`. */
export default function Page() {
  return <App />;
}
