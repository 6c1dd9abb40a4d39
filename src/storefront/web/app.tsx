import { Component, type ReactNode } from 'react';
import { FirstPath } from '#platform/web/navigation.tsx';
import { Trouble } from '#platform/web/ui/trouble.tsx';
import { Layout } from '#storefront/web/layout.tsx';
import { CurrentPage } from '#storefront/web/router.tsx';

/** The storefront, on the server and in the browser. */
export function App({ path }: { path: string }) {
  return (
    <FirstPath value={path}>
      <Layout>
        <ErrorBoundary>
          <CurrentPage />
        </ErrorBoundary>
      </Layout>
    </FirstPath>
  );
}

/** What a page could not recover from, such as a shop that does not load. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Trouble error={this.state.error} onRetry={() => location.reload()} />;
  }
}
