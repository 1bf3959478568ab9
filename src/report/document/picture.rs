//! Charts on their way into documents.

/// A chart as text, with the words that stand for it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of its files, without ending.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// The chart.
    pub svg: String,
}

impl Picture {
    /// The chart to be put into a page beside others: its ids begin with its name, so that they are
    /// nobody else's.
    pub fn inlined(&self) -> String {
        let own = format!("{}-", self.name);
        [" id=\"", "url(#", "href=\"#"]
            .into_iter()
            .fold(self.svg.clone(), |svg, before| svg.replace(before, &format!("{before}{own}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_what_refers_to_them_carry_the_name_of_the_chart() {
        let svg = "<svg><clipPath id=\"a\"/><g clip-path=\"url(#a)\"/><use href=\"#a\"/></svg>";
        let picture = Picture { name: "tail", title: String::new(), svg: svg.to_string() };
        assert_eq!(
            picture.inlined(),
            "<svg><clipPath id=\"tail-a\"/><g clip-path=\"url(#tail-a)\"/><use href=\"#tail-a\"/></svg>"
        );
    }
}
