import { Component, type ContextType, type ReactNode } from 'react';
import { Trouble } from '#ui/web/trouble.tsx';
import { ShopContext } from '#shop/web/shop.ts';

/** What a page could not recover from. A shop that did not load is asked for again; anything else loads the page again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  static override contextType = ShopContext;
  declare context: ContextType<typeof ShopContext>;
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Trouble error={this.state.error} onRetry={this.retry} />;
  }

  retry = () => {
    const shop = this.context;
    if (!shop || shop.read() || !shop.retry()) return location.reload();
    this.setState({ error: null });
  };
}
