import { FirstPath } from '#platform/web/navigation.tsx';
import { Layout } from '#storefront/web/layout.tsx';
import { CurrentPage } from '#storefront/web/router.tsx';

/** The storefront, on the server and in the browser. */
export function App({ path }: { path: string }) {
  return (
    <FirstPath value={path}>
      <Layout>
        <CurrentPage />
      </Layout>
    </FirstPath>
  );
}
