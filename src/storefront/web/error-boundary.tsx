import { Component, type ReactNode } from 'react';
import { Trouble } from '#platform/web/ui/trouble.tsx';
import { useShopStore } from '#storefront/web/shop.ts';
import type { ShopStore } from '#storefront/web/shop-store.ts';

/** What a page could not recover from. A shop that did not load is asked for again; anything else loads the page anew. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary shop={useShopStore()}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode; shop: ShopStore }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Trouble error={this.state.error} onRetry={this.retry} />;
  }

  retry = () => {
    const { shop } = this.props;
    if (shop.read() || !shop.retry()) return location.reload();
    this.setState({ error: null });
  };
}
