//! What a source file names of other crates in its public signatures.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, UseTree, Visibility};

/// The items of `text` with the paths of `crates` that they name, in the order of the text.
pub fn foreign_in(text: &str, crates: &[String]) -> Vec<(String, String)> {
    let file: File = syn::parse_str(text).expect("the compiler has read it");
    let mut found = Vec::new();
    Scope::of(&file.items, crates, &BTreeSet::new()).collect(&file.items, &mut found);
    found
}

/// What the names in one module mean.
struct Scope<'c> {
    crates: &'c [String],
    /// Names that stand for a path of another crate.
    imported: BTreeMap<String, String>,
    /// Types that are not public, whatever their methods say.
    hidden: BTreeSet<String>,
}

impl<'c> Scope<'c> {
    fn of(items: &[Item], crates: &'c [String], outside: &BTreeSet<String>) -> Self {
        let (imported, hidden) = (BTreeMap::new(), outside.clone());
        let mut scope = Scope { crates, imported, hidden };
        for item in items {
            match item {
                Item::Use(it) => scope.import(&it.tree, String::new()),
                Item::Struct(it) if !is_public(&it.vis) => {
                    scope.hidden.insert(it.ident.to_string());
                }
                Item::Enum(it) if !is_public(&it.vis) => {
                    scope.hidden.insert(it.ident.to_string());
                }
                _ => {}
            }
        }
        scope
    }

    fn import(&mut self, tree: &UseTree, prefix: String) {
        let join = |name: &syn::Ident| match prefix.is_empty() {
            true => name.to_string(),
            false => format!("{prefix}::{name}"),
        };
        let (name, path) = match tree {
            UseTree::Path(it) => return self.import(&it.tree, join(&it.ident)),
            UseTree::Group(it) => {
                return it.items.iter().for_each(|tree| self.import(tree, prefix.clone()));
            }
            UseTree::Name(it) if it.ident == "self" => {
                (prefix.rsplit("::").next().unwrap_or_default().into(), prefix.clone())
            }
            UseTree::Name(it) => (it.ident.to_string(), join(&it.ident)),
            UseTree::Rename(it) => (it.rename.to_string(), join(&it.ident)),
            UseTree::Glob(_) => ("*".into(), prefix.clone()),
        };
        let root = path.split("::").next().unwrap_or_default();
        if self.crates.iter().any(|known| known == root) {
            assert_ne!(name, "*", "the names in {prefix}::* are not known here");
            self.imported.insert(name, path);
        }
    }

    /// The path of another crate that `path` leads to.
    fn foreign(&self, path: &syn::Path) -> Option<String> {
        let names: Vec<_> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let (first, rest) = names.split_first()?;
        let root = match self.imported.get(first) {
            Some(path) if path != first || !rest.is_empty() => path.clone(),
            Some(_) => return None,
            None if !rest.is_empty() && self.crates.contains(first) => first.clone(),
            None => return None,
        };
        Some([&[root], rest].concat().join("::"))
    }

    fn collect(&self, items: &[Item], found: &mut Vec<(String, String)>) {
        for item in items {
            self.collect_item(item, found);
        }
    }

    fn collect_item(&self, item: &Item, found: &mut Vec<(String, String)>) {
        let mut out = Signature { scope: self, item: String::new(), found };
        match item {
            Item::Mod(it) if !is_test(&it.attrs) => {
                let Some((_, items)) = &it.content else { return };
                Scope::of(items, self.crates, &self.hidden).collect(items, found);
            }
            Item::Use(it) if is_public(&it.vis) => {
                let mut own = Scope { imported: BTreeMap::new(), hidden: BTreeSet::new(), ..*self };
                own.import(&it.tree, String::new());
                found.extend(own.imported.into_values().map(|path| ("use".into(), path)));
            }
            Item::Fn(it) if is_public(&it.vis) => out.function(&it.sig),
            Item::Struct(it) if is_public(&it.vis) => {
                out.item = format!("struct {}", it.ident);
                out.derives(&it.attrs);
                out.visit_generics(&it.generics);
                let fields = it.fields.iter().filter(|field| is_public(&field.vis));
                fields.for_each(|field| out.visit_type(&field.ty));
            }
            Item::Enum(it) if is_public(&it.vis) => {
                out.item = format!("enum {}", it.ident);
                out.derives(&it.attrs);
                out.visit_generics(&it.generics);
                let fields = it.variants.iter().flat_map(|variant| &variant.fields);
                fields.for_each(|field| out.visit_type(&field.ty));
            }
            Item::Type(it) if is_public(&it.vis) => {
                out.item = format!("type {}", it.ident);
                out.visit_type(&it.ty);
            }
            Item::Const(it) if is_public(&it.vis) => {
                out.item = format!("const {}", it.ident);
                out.visit_type(&it.ty);
            }
            Item::Static(it) if is_public(&it.vis) => {
                out.item = format!("static {}", it.ident);
                out.visit_type(&it.ty);
            }
            Item::Trait(it) if is_public(&it.vis) => {
                out.item = format!("trait {}", it.ident);
                out.visit_item_trait(it);
            }
            Item::Impl(it) => self.collect_impl(it, out),
            _ => {}
        }
    }

    fn collect_impl(&self, it: &syn::ItemImpl, mut out: Signature<'_, '_>) {
        let own = match &*it.self_ty {
            syn::Type::Path(own) => own.path.segments.last().map(|part| part.ident.to_string()),
            _ => None,
        };
        if own.is_some_and(|own| self.hidden.contains(&own)) {
            return;
        }
        if let Some((_, of, _)) = &it.trait_ {
            // What its methods look like is for the trait to say.
            let name = of.segments.last().map(|part| part.ident.to_string());
            out.item = format!("impl {}", name.unwrap_or_default());
            out.visit_path(of);
            out.visit_type(&it.self_ty);
            return;
        }
        for part in &it.items {
            match part {
                syn::ImplItem::Fn(it) if is_public(&it.vis) => out.function(&it.sig),
                syn::ImplItem::Const(it) if is_public(&it.vis) => {
                    out.item = format!("const {}", it.ident);
                    out.visit_type(&it.ty);
                }
                _ => {}
            }
        }
    }
}

/// One public item.
struct Signature<'s, 'c> {
    scope: &'s Scope<'c>,
    item: String,
    found: &'s mut Vec<(String, String)>,
}

impl Signature<'_, '_> {
    fn function(&mut self, signature: &syn::Signature) {
        self.item = format!("fn {}", signature.ident);
        self.visit_signature(signature);
    }

    fn derives(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let is_plain = attribute.path().is_ident("derive");
            let is_conditional = attribute.path().is_ident("cfg_attr");
            if !is_plain && !is_conditional {
                continue;
            }
            let syn::Meta::List(list) = &attribute.meta else { continue };
            let text = list.tokens.to_string();
            let derives: Vec<&str> = match is_plain {
                true => vec![&text],
                false => text
                    .match_indices("derive (")
                    .map(|(at, begin)| {
                        let rest = &text[at + begin.len()..];
                        rest.split(')').next().unwrap_or_default()
                    })
                    .collect(),
            };
            for name in derives.iter().flat_map(|list| list.split(',')) {
                if let Ok(path) = syn::parse_str::<syn::Path>(name) {
                    self.visit_path(&path);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Signature<'_, '_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.name(path);
        visit::visit_path(self, path);
    }

    /// Default bodies of a trait's methods are nobody's signature.
    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

impl Signature<'_, '_> {
    fn name(&mut self, path: &syn::Path) {
        if let Some(path) = self.scope.foreign(path) {
            self.found.push((self.item.clone(), path));
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        attribute.path().is_ident("cfg") && list.tokens.to_string() == "test"
    })
}
